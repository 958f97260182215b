// What the programs use and Strata does not have yet, one macro each: the programs that need it stand behind `#ifndef`.
// Whoever adds the thing deletes its line; `script/programs --try` tells which lines can go.
#pragma once

#ifndef PROGRAMS_OF_LIBTORCH
#define AWAITS_FUNCTIONS         // diff, cdist, tensor_split and other functions of everyday use
#define AWAITS_STD_COMPLEX       // functions of std on complex numbers
#define AWAITS_STREAMED_OPTIONS  // layouts, memory formats and options on streams
#define AWAITS_TYPE_META         // dtype() with a name, and layouts and memory formats on streams
#define AWAITS_STREAMED_LISTS    // vectors on streams
#define AWAITS_ANY_MODULE        // modules of any types, refused arguments and type_info
#define AWAITS_SPECIAL           // torch::special
#define AWAITS_PICKLE            // pickle_save and pickle_load
#define AWAITS_IVALUE            // IValue, Dict and List
#define AWAITS_SMALL_VECTOR      // SmallVector and OptionalArrayRef
#define AWAITS_SCALAR_TENSORS    // scalar_to_tensor and type metas
#define AWAITS_DLPACK            // DLPack
#define AWAITS_WINDOWS           // Bartlett and Kaiser windows, fft_rfft
#define AWAITS_ERROR_CONTEXT     // Error::add_context and msg
#define AWAITS_MAKE_GENERATOR    // make_generator
#define AWAITS_AT_NAMES          // Tensor::type, hasCUDA
#define AWAITS_META              // tensors without data
#define AWAITS_FOREACH           // _foreach functions
#define AWAITS_QUEUES            // queues of loaders
#define AWAITS_CONTAINER         // TensorDataContainer
#define AWAITS_HASH              // hashes
#endif
