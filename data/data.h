// Everything of data/: datasets, transforms, samplers and the loader.
#pragma once
#include "dataloader.h"
#include "dataset.h"
#include "example.h"
#include "mnist.h"
#include "samplers.h"
#include "tensor_dataset.h"
#include "transforms.h"
