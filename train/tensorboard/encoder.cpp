// Events as protobuf's bytes.
#include <tensorboard.pb.h>

#include "train/event_encoder.h"

namespace strata::train::board {
namespace {

proto::DataType data_type(DType dtype) {
  switch (dtype) {
    case kFloat:
      return proto::DT_FLOAT;
    case kDouble:
      return proto::DT_DOUBLE;
    case kInt:
      return proto::DT_INT32;
    case kUInt8:
      return proto::DT_UINT8;
    case kShort:
      return proto::DT_INT16;
    case kChar:
      return proto::DT_INT8;
    case kComplexFloat:
      return proto::DT_COMPLEX64;
    case kLong:
      return proto::DT_INT64;
    case kBool:
      return proto::DT_BOOL;
    case kBFloat16:
      return proto::DT_BFLOAT16;
    case kComplexDouble:
      return proto::DT_COMPLEX128;
    case kHalf:
      return proto::DT_HALF;
    default:
      return proto::DT_INVALID;
  }
}

proto::Event event(const Moment& at) {
  proto::Event out;
  out.set_wall_time(at.wall_time);
  out.set_step(at.step);
  return out;
}

/// A value of the event's summary.
proto::Summary::Value& add_value(proto::Event& to, const std::string& tag) {
  proto::Summary::Value& value = *to.mutable_summary()->add_value();
  value.set_tag(tag);
  return value;
}

proto::Metadata::PluginData& plugin(proto::Summary::Value& value, const char* name) {
  proto::Metadata::PluginData& data = *value.mutable_metadata()->mutable_plugin_data();
  data.set_plugin_name(name);
  return data;
}

void set_shape(proto::TensorShape& shape, const std::vector<int64_t>& sizes) {
  for (const int64_t size : sizes) shape.add_dim()->set_size(size);
}

void set_numbers(proto::Tensor& to, const Numbers& numbers) {
  to.set_dtype(proto::DT_FLOAT);
  set_shape(*to.mutable_shape(), numbers.sizes);
  to.mutable_float_value()->Add(numbers.values.begin(), numbers.values.end());
}

void set_node(proto::NodeDef& to, const GraphNode& node) {
  to.set_name(node.name);
  to.set_op(node.op);
  to.set_device(node.device);
  for (const std::string& input : node.inputs) to.add_input(input);
  auto& attributes = *to.mutable_attr();
  for (const auto& [name, text] : node.params) attributes[name].set_text(text);
  if (node.dtype != DType::Undefined) attributes["dtype"].set_type(data_type(node.dtype));
  for (const auto& sizes : node.shapes) set_shape(*attributes["_output_shapes"].mutable_list()->add_shape(), sizes);
}

/// A tensor of one text.
void set_text(proto::Tensor& to, const std::string& text, const std::vector<int64_t>& sizes) {
  to.set_dtype(proto::DT_STRING);
  set_shape(*to.mutable_shape(), sizes);
  to.add_string_value(text);
}

void set_chart(proto::Layout::Chart& to, const Chart& chart) {
  to.set_title(chart.title);
  if (chart.has_margin) {
    proto::Layout::Margin::Series& series = *to.mutable_margin()->add_series();
    series.set_value(chart.tags.at(0));
    series.set_lower(chart.tags.at(1));
    series.set_upper(chart.tags.at(2));
  } else {
    for (const std::string& tag : chart.tags) to.mutable_lines()->add_tag(tag);
  }
}

proto::Experiment::Kind kind_of(const Value& value) {
  return value.isString() ? proto::Experiment::TEXT
         : value.isBool() ? proto::Experiment::BOOLEAN
                          : proto::Experiment::NUMBER;
}

proto::PlainValue plain(const Value& value) {
  proto::PlainValue out;
  if (value.isString())
    out.set_text(value.toStringRef());
  else if (value.isBool())
    out.set_boolean(value.toBool());
  else
    out.set_number(value.isInt() ? static_cast<double>(value.toInt()) : value.toDouble());
  return out;
}

/// A value that consists of what its plugin alone reads; as the plugin's own writer, it has an empty tensor too.
void add_hparams_data(proto::Event& to, const char* tag, const proto::HParamsData& data) {
  proto::Summary::Value& value = add_value(to, tag);
  plugin(value, "hparams").set_content(data.SerializeAsString());
  value.mutable_tensor()->set_dtype(proto::DT_FLOAT);
  value.mutable_tensor()->mutable_shape()->add_dim();
}

class ProtoEncoder final : public Encoder {
 public:
  std::string version(const Moment& at) const override {
    proto::Event out = event(at);
    out.set_file_version("brain.Event:2");
    return out.SerializeAsString();
  }

  std::string restart(const Moment& at) const override {
    proto::Event out = event(at);
    out.mutable_session_log()->set_status(proto::SessionLog::START);
    return out.SerializeAsString();
  }

  std::string scalar(const Moment& at, const std::string& tag, double value) const override {
    proto::Event out = event(at);
    add_value(out, tag).set_simple_value(static_cast<float>(value));
    return out.SerializeAsString();
  }

  std::string histogram(const Moment& at, const std::string& tag, const Histogram& histogram) const override {
    proto::Event out = event(at);
    proto::Histogram& to = *add_value(out, tag).mutable_histogram();
    to.set_min(histogram.min);
    to.set_max(histogram.max);
    to.set_num(histogram.count);
    to.set_sum(histogram.sum);
    to.set_sum_squares(histogram.sum_squares);
    to.mutable_bucket_limit()->Add(histogram.limits.begin(), histogram.limits.end());
    to.mutable_bucket()->Add(histogram.counts.begin(), histogram.counts.end());
    return out.SerializeAsString();
  }

  std::string image(const Moment& at, const std::string& tag, const Picture& picture) const override {
    proto::Event out = event(at);
    proto::Summary::Image& to = *add_value(out, tag).mutable_image();
    to.set_height(static_cast<int32_t>(picture.height));
    to.set_width(static_cast<int32_t>(picture.width));
    to.set_channels(static_cast<int32_t>(picture.channels));
    to.set_png(picture.png);
    return out.SerializeAsString();
  }

  std::string audio(const Moment& at, const std::string& tag, const Sound& sound) const override {
    proto::Event out = event(at);
    proto::Summary::Audio& to = *add_value(out, tag).mutable_audio();
    to.set_sample_rate(static_cast<float>(sound.sample_rate));
    to.set_channels(sound.channels);
    to.set_frames(sound.frames);
    to.set_wav(sound.wav);
    to.set_content_type("audio/wav");
    return out.SerializeAsString();
  }

  std::string mesh(const Moment& at, const std::string& tag, const std::map<MeshPart, Numbers>& parts,
                   const std::string& config) const override {
    proto::MeshData data;
    data.set_name(tag);
    data.set_config(config);
    uint32_t bits = 0;
    for (const auto& [part, numbers] : parts) bits |= 1u << static_cast<int>(part);
    data.set_parts(bits);
    proto::Event out = event(at);
    for (const auto& [part, numbers] : parts) {
      const auto number = static_cast<proto::MeshData::Part>(part);
      data.set_part(number);
      data.mutable_shape()->Assign(numbers.sizes.begin(), numbers.sizes.end());
      proto::Summary::Value& value = add_value(out, tag + "_" + proto::MeshData::Part_Name(number));
      plugin(value, "mesh").set_content(data.SerializeAsString());
      set_numbers(*value.mutable_tensor(), numbers);
    }
    return out.SerializeAsString();
  }

  std::string pr_curve(const Moment& at, const std::string& tag, const Numbers& curve) const override {
    proto::PrCurveData data;
    data.set_thresholds(static_cast<uint32_t>(curve.sizes.at(1)));
    proto::Event out = event(at);
    proto::Summary::Value& value = add_value(out, tag);
    plugin(value, "pr_curves").set_content(data.SerializeAsString());
    set_numbers(*value.mutable_tensor(), curve);
    return out.SerializeAsString();
  }

  std::string charts(const Moment& at,
                     const std::vector<std::pair<std::string, std::vector<Chart>>>& categories) const override {
    proto::Layout layout;
    for (const auto& [title, charts] : categories) {
      proto::Layout::Category& category = *layout.add_category();
      category.set_title(title);
      for (const Chart& chart : charts) set_chart(*category.add_chart(), chart);
    }
    proto::Event out = event(at);
    proto::Summary::Value& value = add_value(out, "custom_scalars__config__");
    plugin(value, "custom_scalars");
    set_text(*value.mutable_tensor(), layout.SerializeAsString(), {});
    return out.SerializeAsString();
  }

  std::string text(const Moment& at, const std::string& tag, const std::string& text) const override {
    proto::Event out = event(at);
    proto::Summary::Value& value = add_value(out, tag);
    plugin(value, "text");
    set_text(*value.mutable_tensor(), text, {1});
    return out.SerializeAsString();
  }

  std::string graph(const Moment& at, const std::vector<GraphNode>& nodes) const override {
    proto::GraphDef graph;
    for (const GraphNode& node : nodes) set_node(*graph.add_node(), node);
    graph.mutable_versions()->set_producer(22);  // as PyTorch's are
    proto::Event out = event(at);
    out.set_graph_def(graph.SerializeAsString());
    return out.SerializeAsString();
  }

  std::string hparams(const Moment& at, const std::map<std::string, Value>& hparams,
                      const std::vector<std::string>& metric_tags) const override {
    proto::HParamsData experiment, start, end;
    for (const auto& [name, value] : hparams) {
      auto& info = *experiment.mutable_experiment()->add_hparam();
      info.set_name(name);
      info.set_type(kind_of(value));
      (*start.mutable_session_start()->mutable_hparam())[name] = plain(value);
    }
    for (const std::string& tag : metric_tags)
      experiment.mutable_experiment()->add_metric()->mutable_name()->set_tag(tag);
    end.mutable_session_end()->set_status(proto::SessionEnd::SUCCESS);
    proto::Event out = event(at);
    add_hparams_data(out, "_hparams_/experiment", experiment);
    add_hparams_data(out, "_hparams_/session_start_info", start);
    add_hparams_data(out, "_hparams_/session_end_info", end);
    return out.SerializeAsString();
  }
};

}  // namespace
}  // namespace strata::train::board

extern "C" __attribute__((visibility("default"))) const strata::train::board::Encoder* strata_tensorboard_entry() {
  static const strata::train::board::ProtoEncoder encoder;
  return &encoder;
}
