// The embedded files that data/mnist.cpp unpacks.
#pragma once

#include <string_view>

namespace strata::data::embedded {

/// A gzip-compressed IDX file in base64: 1,797 images of 8x8 pixels from 0 to 16.
extern const std::string_view digit_images;

/// A gzip-compressed IDX file in base64: the 1,797 labels from 0 to 9.
extern const std::string_view digit_labels;

}  // namespace strata::data::embedded
