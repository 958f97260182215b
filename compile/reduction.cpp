// Pieces of lines, and the folding of what they give.
#include "compile/reduction.h"

#include <algorithm>
#include <cstring>

namespace strata::func::compiling {

Piece piece_of(const Reduction& r, int64_t lines, int64_t index) {
  const int64_t chunks = r.chunks();
  if (chunks > 1) {
    const int64_t line = index / chunks * r.length, from = index % chunks * r.loop.chunk;
    return {line + from, line + std::min(from + r.loop.chunk, r.length)};
  }
  const int64_t first = index * r.lines_of_piece();
  return {first * r.length, std::min(first + r.lines_of_piece(), lines) * r.length};
}

void reduce_piece(const Reduction& r, int64_t lines, int64_t index, const char* x, char* partial, char* results) {
  const Piece p = piece_of(r, lines, index);
  if (r.chunks() > 1) return r.loop.span(x, p.end - p.begin, partial + index * r.item);
  for (int64_t at = p.begin; at < p.end; at += r.length)
    r.loop.span(x + (at - p.begin) * r.item, r.length, results + at / r.length * r.item);
}

void fold_pieces(const Reduction& r, int64_t lines, char* partial, char* results) {
  const int64_t chunks = r.chunks();
  for (int64_t line = 0; chunks > 1 && line < lines; ++line) {
    char* const of_line = partial + line * chunks * r.item;
    for (int64_t step = 1; step < chunks; step *= 2)
      for (int64_t c = 0; c + step < chunks; c += 2 * step)
        r.loop.combine(of_line + c * r.item, of_line + (c + step) * r.item);
    std::memcpy(results + line * r.item, of_line, r.item);
  }
  for (int64_t line = 0; r.loop.finish && line < lines; ++line) r.loop.finish(results + line * r.item, r.length);
}

}  // namespace strata::func::compiling
