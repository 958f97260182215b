// The dispatcher's names in strata, for our own sources. Headers that users get through strata.h do without, so that a
// program that opens the namespace strata may have a Batch, Params or Layer of its own.
#pragma once
#include "layer.h"

namespace strata {

using dispatch::ArgList;
using dispatch::Args;
using dispatch::Tensors;

using dispatch::FieldReader;
using dispatch::FieldVisitor;
using dispatch::NoParams;
using dispatch::OwnedParams;
using dispatch::Params;
using dispatch::params_type;
using dispatch::ParamsType;

using dispatch::has_channels_last;
using dispatch::infer_like_first;
using dispatch::Meta;
using dispatch::meta;
using dispatch::meta_in_order;
using dispatch::meta_like;
using dispatch::Metas;
using dispatch::view_meta;
using dispatch::ViewGeometry;

using dispatch::kSavesNothing;
using dispatch::Saves;
using dispatch::saves_in;
using dispatch::saves_out;
using dispatch::saves_shape;

using dispatch::Batch;
using dispatch::Jvp;
using dispatch::Primals;
using dispatch::Replay;
using dispatch::Vjp;

using dispatch::all_ops;
using dispatch::AutocastPolicy;
using dispatch::BatchFn;
using dispatch::InferFn;
using dispatch::JvpFn;
using dispatch::KernelFn;
using dispatch::Op;
using dispatch::OpFlag;
using dispatch::VjpFn;
using enum dispatch::OpFlag;

using dispatch::call;
using dispatch::call1;
using dispatch::call_backend;
using dispatch::call_backend_inplace;
using dispatch::call_inplace;
using dispatch::call_inplace_with;
using dispatch::call_view;
using dispatch::call_with;
using dispatch::empty;
using dispatch::KeyHandler;
using dispatch::keys_of;
using dispatch::set_copy_op;
using dispatch::set_key_handler;

using dispatch::Below;
using dispatch::Layer;
using dispatch::LayerScope;

}  // namespace strata
