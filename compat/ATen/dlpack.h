// DLPack's structs by their own names, which are global.
#pragma once
#include <torch/torch.h>

#ifndef DLPACK_DLPACK_H_  // its own header, which has them too
using strata::dlpack::DLDataType;
using strata::dlpack::DLDevice;
using strata::dlpack::DLManagedTensor;
using strata::dlpack::DLManagedTensorVersioned;
using strata::dlpack::DLPackVersion;
using strata::dlpack::DLTensor;
#endif
