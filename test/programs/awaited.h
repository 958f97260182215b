// What the programs use and Strata does not have yet, one macro each: the programs that need it stand behind `#ifndef`.
// Whoever adds the thing deletes its line; `script/programs --try` tells which lines can go.
#pragma once

#ifndef PROGRAMS_OF_LIBTORCH
#define AWAITS_STREAMED_OPTIONS     // layouts, memory formats and options on streams
#define AWAITS_TYPE_META            // dtype() with a name, and layouts and memory formats on streams
#define AWAITS_STREAMED_LISTS       // vectors on streams
#define AWAITS_SHORT_DTYPES         // kF32 and its kin
#define AWAITS_ANY_MODULE           // modules of any types, refused arguments and type_info
#define AWAITS_PDIST                // pdist
#define AWAITS_LOSSES               // MultiLabelMarginLoss, TripletMarginWithDistanceLoss, CTCLoss
#define AWAITS_EMBEDDING_BAG        // EmbeddingBag
#define AWAITS_LOCAL_RESPONSE_NORM  // LocalResponseNorm and CrossMapLRN2d
#define AWAITS_FOLD                 // Fold and Unfold
#define AWAITS_GRID_SAMPLE          // grid_sample and affine_grid
#define AWAITS_UNPOOL               // MaxUnpool and LPPool
#define AWAITS_STATISTICS           // quantile, mode, kthvalue and other statistics
#define AWAITS_FUNCTIONS            // diff, cdist, tensor_split and other functions of everyday use
#define AWAITS_LINALG               // eigenvalues, least squares, LU
#define AWAITS_SPECIAL              // torch::special
#define AWAITS_CHUNKS               // datasets of chunks
#define AWAITS_PICKLE               // pickle_save and pickle_load
#define AWAITS_CHECKS               // checks that throw types of their own
#define AWAITS_DISPATCH             // the rest of AT_DISPATCH
#define AWAITS_IVALUE               // IValue, Dict and List
#define AWAITS_SMALL_VECTOR         // SmallVector and OptionalArrayRef
#define AWAITS_SCALAR_TENSORS       // scalar_to_tensor and type metas
#define AWAITS_NAMESPACES           // torch, at and c10 as namespaces that programs open again
#define AWAITS_DLPACK               // DLPack
#define AWAITS_NN3D                 // modules for volumes
#define AWAITS_ADAPTIVE_SOFTMAX     // AdaptiveLogSoftmaxWithLoss
#define AWAITS_WINDOWS              // Bartlett and Kaiser windows, fft_rfft
#define AWAITS_STD_COMPLEX          // functions of std on complex numbers
#define AWAITS_ERROR_CONTEXT        // Error::add_context and msg
#define AWAITS_IRANGE               // irange
#define AWAITS_MAKE_GENERATOR       // make_generator
#define AWAITS_VERSION              // TORCH_VERSION
#define AWAITS_AT_NAMES             // Tensor::type, hasCUDA
#define AWAITS_HEADERS              // headers by libtorch's paths
#define AWAITS_CHANNELS_LAST        // memory formats
#define AWAITS_META                 // tensors without data
#define AWAITS_FOREACH              // _foreach functions
#define AWAITS_QUEUES               // queues of loaders
#define AWAITS_CONTAINER            // TensorDataContainer
#define AWAITS_VARIABLES            // make_variable
#define AWAITS_DATA_PARALLEL        // data_parallel and replicate
#define AWAITS_UNSAFE               // names with unsafe
#define AWAITS_HASH                 // hashes
#define AWAITS_JIT                  // the error of torch::jit::load
#endif
