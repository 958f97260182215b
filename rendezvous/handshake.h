// The proof, asked for before anything else is parsed, that both ends of a connection hold the job's token.
//
// The server sends a nonce; the client answers with proof("client") of it and a nonce of its own; the server answers
// with proof("server") of that. The token itself never travels.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace strata::rendezvous {

inline constexpr size_t kNonceSize = 32;
inline constexpr size_t kProofSize = 32;

using Nonce = std::array<char, kNonceSize>;

/// Random bytes of OpenSSL's generator; throws StoreError where the system gives none.
Nonce make_nonce();

/// A token for a new job: 256 random bits in hexadecimal.
std::string make_token();

/// HMAC-SHA256 of `nonce` and `role`, keyed with `token`.
std::string proof(std::string_view token, std::string_view nonce, std::string_view role);

/// Whether two proofs are equal, in a time that does not depend on where they differ.
bool same_proof(std::string_view a, std::string_view b);

}  // namespace strata::rendezvous
