// The at:: names under the header that libtorch has them in.
#pragma once

#include "../torch/torch.h"
