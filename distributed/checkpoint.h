// Checkpoints that all ranks write and any number of ranks reads, in the layout of torch's distributed checkpoint.
#pragma once
#include <optional>
#include <string>

#include "checkpoint_state.h"

/// Note [Checkpoints]
/// A run's folder has a folder for each step that was saved, `step-00000012`, with files of all ranks and a manifest:
///
///     shard-0000R-model-0000F-of-0000N.safetensors   of rank R - 1. The metadata DCP_SHARDING_INFO says where in the
///                                                    whole tensor each part begins (`saved_offsets`)
///     manifest.json                                  sizes and SHA-256 of all files, and of itself
///
/// It is written under a hidden name, each file is synced, the manifest is written when all ranks have said that they
/// are done, and then the folder gets its name. So a folder of that name is whole, or was damaged later, which its
/// hashes show. All functions are collective, and an error of one rank is thrown, with the same text, by all.
namespace strata::distributed::checkpoint {

struct SaveOptions {
  int64_t step = 0;  ///< names the checkpoint
  /// Older ones than the `keep` newest whole ones are removed; at least 2.
  int64_t keep = 2;
  ProcessGroup group = nullptr;  ///< the default one if it is null; it has to move tensors of the CPU
};

struct LoadOptions {
  /// Compares all files with the manifest's hashes before anything is changed; ranks share the work. Not needed for
  /// what `latest` has just returned.
  bool verify = true;
  ProcessGroup group = nullptr;  ///< as above
};

/// Writes a checkpoint and returns its path, `folder/step-00000012`, on all ranks. What several ranks have is written
/// once, and shared out between them. Throws, on all ranks, where one of them cannot write; older checkpoints stay, and
/// nothing is left of the attempt, unless it is the last sync that fails, behind which there is the new one.
std::string save(const State& state, const std::string& folder, const SaveOptions& options);

/// Fills the state from a checkpoint, `path`: one of `save`, of any number of ranks and however it was divided, or
/// any folder of safetensors files, of torch's HuggingFaceStorageWriter too. Each rank reads what it has a part of.
/// Tensors keep dtype and device. Throws, on all ranks, where a name or shape does not fit or a file is damaged, before
/// anything is changed; where a disk fails later than that, the state is filled in part.
void load(State& state, const std::string& path, const LoadOptions& options = {});

/// The path of the newest checkpoint in a run's folder of which every byte is as it was written, or nothing. Warns, on
/// rank 0, of each newer one that it leaves out. Ranks share the work of hashing.
std::optional<std::string> latest(const std::string& folder, const ProcessGroup& group = nullptr);

}  // namespace strata::distributed::checkpoint
