"""Holds what SummaryWriter writes against TensorBoard's own reader.

    event_files.py PROGRAM    has PROGRAM (test/train/workers/event_files.cpp) write files and reads them

Exits with 77, which CTest takes for "skipped", where tensorboard cannot be imported.
"""

import glob
import json
import io
import os
import subprocess
import sys
import tempfile
import wave

try:
    from google.protobuf import text_format
    from tensorboard.backend.event_processing import event_multiplexer
    from tensorboard.backend.event_processing.event_accumulator import STORE_EVERYTHING_SIZE_GUIDANCE
    from tensorboard.compat.proto import graph_pb2
    from tensorboard.plugins.custom_scalar import layout_pb2, metadata as custom_scalar_metadata
    from tensorboard.plugins.hparams import metadata, plugin_data_pb2
    from tensorboard.plugins.mesh import metadata as mesh_metadata
    from tensorboard.plugins.pr_curve import metadata as pr_curve_metadata
    from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig
    from tensorboard.util import tensor_util
except ImportError as error:
    print(f"skipped: {sys.executable} lacks what this needs: {error}; set Python3_EXECUTABLE to one that has tensorboard")
    sys.exit(77)


def check_values(run):
    scalars = run.Scalars("loss/train")
    assert [(e.step, e.wall_time) for e in scalars] == [(i, 1000.0 + i) for i in range(3)], scalars
    assert all(abs(e.value - 1 / (e.step + 1)) < 1e-7 for e in scalars), scalars
    histograms = run.Histograms("weights")
    for e in histograms:
        value = e.histogram_value
        assert (value.min, value.max, value.num) == (0, 99 * (e.step + 1), 100), value
        assert sum(value.bucket) == 100 and len(value.bucket) == len(value.bucket_limit), value
        assert value.sum == 4950 * (e.step + 1), value
    assert len(histograms) == 3
    text = run.Tensors("notes/text_summary")[0].tensor_proto
    assert list(text.string_val) == [b"some **text**"], text
    assert b"exp" in run.Tensors("profile/text_summary")[0].tensor_proto.string_val[0]
    assert run.SummaryMetadata("notes/text_summary").plugin_data.plugin_name == "text"


def check_images(run):
    picture, pictures = run.Images("picture")[0], run.Images("pictures")[0]
    assert (picture.step, picture.height, picture.width) == (1, 2, 4), picture
    assert (pictures.height, pictures.width) == (5, 15), pictures
    try:
        from PIL import Image
    except ImportError:
        print("without PIL: the pictures' pixels were not looked at")
        return
    pixels = Image.open(io.BytesIO(picture.encoded_image_string))
    assert pixels.mode == "RGB" and pixels.size == (4, 2), pixels
    wanted = [(i, 8 + i, 16 + i) for i in range(8)]
    assert [pixels.getpixel((i % 4, i // 4)) for i in range(8)] == wanted
    video = run.Images("video")[0]
    assert (video.height, video.width) == (4, 8), video
    played = Image.open(io.BytesIO(video.encoded_image_string))
    assert played.is_animated and played.n_frames == 3 and played.info["loop"] == 0, played.info
    for t in range(3):
        played.seek(t)
        assert played.info["duration"] == 100, played.info
        assert [played.convert("RGB").getpixel((x, 3)) for x in (0, 4)] == [(40 * t,) * 3, (40 * (3 + t),) * 3], t


def check_audio(run):
    sound = run.Audio("sound")[0]
    assert (sound.sample_rate, sound.length_frames, sound.content_type) == (8000, 4, "audio/wav"), sound
    with wave.open(io.BytesIO(sound.encoded_audio_string)) as file:
        assert file.getparams()[:4] == (1, 2, 8000, 4), file.getparams()
        assert file.readframes(4) == b"".join(x.to_bytes(2, "little", signed=True) for x in (0, 16383, -32767, 32767))


def check_mesh(run):
    parts = {"VERTEX": [[0, 0, 0], [1, 0, 0], [0, 1, 0.5]], "FACE": [[0, 1, 2]],
             "COLOR": [[255, 0, 0], [0, 255, 0], [0, 0, 255]]}
    for part, rows in parts.items():
        tag = "triangle_" + part
        data = mesh_metadata.parse_plugin_metadata(run.SummaryMetadata(tag).plugin_data.content)
        assert mesh_metadata.get_instance_name(data.name, data.content_type) == tag, data
        assert data.components == 0b1110 and list(data.shape) == [1, len(rows), 3], data
        assert json.loads(data.json_config)["camera"]["fov"] == 75, data
        assert tensor_util.make_ndarray(run.Tensors(tag)[0].tensor_proto).tolist() == [rows], part


def check_pr_curve(run):
    plugin = run.SummaryMetadata("curve").plugin_data
    assert plugin.plugin_name == "pr_curves"
    assert pr_curve_metadata.parse_plugin_metadata(plugin.content).num_thresholds == 200
    curve = tensor_util.make_ndarray(run.Tensors("curve")[0].tensor_proto)
    assert curve.shape == (6, 200), curve.shape
    examples = [(i % 3 == 0, i / 49, i % 2 + 1) for i in range(50)]
    for k in range(200):
        counts = [sum(w for label, p, w in examples if (p + 1e-6 >= k / 199) == guess and label == truth)
                  for guess, truth in ((True, True), (True, False), (False, False), (False, True))]
        tp, fp, tn, fn = counts
        wanted = counts + [tp / max(tp + fp, 1e-7), tp / (tp + fn)]
        assert all(abs(a - b) < 1e-6 for a, b in zip(curve[:, k], wanted)), (k, curve[:, k], wanted)


def check_custom_scalars(run):
    tag = custom_scalar_metadata.CONFIG_SUMMARY_TAG
    assert run.SummaryMetadata(tag).plugin_data.plugin_name == custom_scalar_metadata.PLUGIN_NAME
    layout = layout_pb2.Layout.FromString(run.Tensors(tag)[0].tensor_proto.string_val[0])
    assert [category.title for category in layout.category] == ["Losses", "Empty"], layout
    lines, margin = layout.category[0].chart
    assert (lines.title, list(lines.multiline.tag)) == ("all", ["loss/.*", "both"]), lines
    (series,) = margin.margin.series
    assert (margin.title, series.value, series.lower, series.upper) == ("between", "m", "low", "high"), margin


def check_graph(run):
    graph = graph_pb2.GraphDef.FromString(run.Graph().SerializeToString())
    nodes = {node.name: node for node in graph.node}
    assert len(nodes) == len(graph.node), "names are not unique"
    assert {"input_0", "output_0", "Sequential/0/weight", "Sequential/0/bias", "Sequential/1/relu"} <= set(nodes), nodes
    assert all(i in nodes for node in graph.node for i in node.input)
    out = nodes["output_0"]
    assert [d.size for d in out.attr["_output_shapes"].list.shape[0].dim] == [2, 3], out
    assert out.attr["dtype"].type == 1 and list(out.input) == ["Sequential/1/relu"], out


def check_hparams(run):
    def data(tag):
        content = run.SummaryMetadata(tag).plugin_data.content
        return plugin_data_pb2.HParamsPluginData.FromString(content)

    start = metadata.parse_session_start_info_plugin_data(
        run.SummaryMetadata(metadata.SESSION_START_INFO_TAG).plugin_data.content)
    assert start.hparams["lr"].number_value == 0.1 and start.hparams["layers"].number_value == 3, start
    assert start.hparams["bias"].bool_value and start.hparams["optimizer"].string_value == "Adam", start
    experiment = data(metadata.EXPERIMENT_TAG).experiment
    kinds = {info.name: info.type for info in experiment.hparam_infos}
    assert kinds == {"lr": 3, "layers": 3, "bias": 2, "optimizer": 1}, kinds
    assert [info.name.tag for info in experiment.metric_infos] == ["hparam/accuracy"], experiment
    assert data(metadata.SESSION_END_INFO_TAG).session_end_info.status == 1
    assert run.Scalars("hparam/accuracy")[0].value == 0.5


def check_projector(folder):
    with open(os.path.join(folder, "projector_config.pbtxt")) as file:
        config = text_format.Parse(file.read(), ProjectorConfig())
    (embedding,) = config.embeddings
    with open(os.path.join(folder, embedding.tensor_path)) as file:
        assert [[float(x) for x in line.split("\t")] for line in file] == [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(4)]
    with open(os.path.join(folder, embedding.metadata_path)) as file:
        assert file.read() == "a\nb\nc\nd\n"
    assert os.path.exists(os.path.join(folder, embedding.sprite.image_path))
    assert list(embedding.sprite.single_image_dim) == [2, 2]


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, folder], check=True)
        runs = event_multiplexer.EventMultiplexer(size_guidance=STORE_EVERYTHING_SIZE_GUIDANCE)
        runs.AddRunsFromDirectory(folder)
        runs.Reload()
        assert sorted(runs.Runs()) == [".", "both_test", "both_train", "first"], runs.Runs()
        assert runs.GetAccumulator("both_test").Scalars("both")[0].value == 2
        root = runs.GetAccumulator(".")
        check_values(root)
        check_images(root)
        check_audio(root)
        check_mesh(root)
        check_pr_curve(root)
        check_custom_scalars(root)
        check_graph(root)
        check_hparams(runs.GetAccumulator("first"))
        check_projector(folder)
        (trace,) = glob.glob(os.path.join(folder, "*.pt.trace.json"))
        with open(trace) as file:
            assert any(e["name"] == "exp" for e in json.load(file)["traceEvents"])
    print("scalars, histograms, pictures, a video, sound, a mesh, a curve, text, charts, graph, hyperparameters, embedding "
          "and trace read by tensorboard")


if __name__ == "__main__":
    main(sys.argv[1])
