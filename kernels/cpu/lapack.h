// LAPACK's routines out of OpenBLAS, by one name for float and double; every call is to run on one thread.
#pragma once
#include <cblas.h>

#include <cstddef>

extern "C" {
// Fortran's calling convention: everything by pointer, the lengths of characters at the end.
#define STRATA_LAPACK(p, T)                                                                                           \
  void p##potrf_(const char* uplo, const blasint* n, T* a, const blasint* lda, blasint* info, size_t);                \
  void p##getrf_(const blasint* m, const blasint* n, T* a, const blasint* lda, blasint* pivots, blasint* info);       \
  void p##geqrf_(const blasint* m, const blasint* n, T* a, const blasint* lda, T* tau, T* work, const blasint* lwork, \
                 blasint* info);                                                                                      \
  void p##orgqr_(const blasint* m, const blasint* n, const blasint* k, T* a, const blasint* lda, const T* tau,        \
                 T* work, const blasint* lwork, blasint* info);                                                       \
  void p##syevd_(const char* job, const char* uplo, const blasint* n, T* a, const blasint* lda, T* w, T* work,        \
                 const blasint* lwork, blasint* iwork, const blasint* liwork, blasint* info, size_t, size_t);         \
  void p##gesdd_(const char* job, const blasint* m, const blasint* n, T* a, const blasint* lda, T* s, T* u,           \
                 const blasint* ldu, T* vt, const blasint* ldvt, T* work, const blasint* lwork, blasint* iwork,       \
                 blasint* info, size_t);
STRATA_LAPACK(s, float)
STRATA_LAPACK(d, double)
#undef STRATA_LAPACK
}

namespace strata::cpu {

template <class T>
struct Lapack;
template <>
struct Lapack<float> {
  static constexpr auto potrf = &spotrf_;
  static constexpr auto getrf = &sgetrf_;
  static constexpr auto geqrf = &sgeqrf_;
  static constexpr auto orgqr = &sorgqr_;
  static constexpr auto syevd = &ssyevd_;
  static constexpr auto gesdd = &sgesdd_;
  static constexpr auto trsm = &cblas_strsm;
  static constexpr auto trsv = &cblas_strsv;
};
template <>
struct Lapack<double> {
  static constexpr auto potrf = &dpotrf_;
  static constexpr auto getrf = &dgetrf_;
  static constexpr auto geqrf = &dgeqrf_;
  static constexpr auto orgqr = &dorgqr_;
  static constexpr auto syevd = &dsyevd_;
  static constexpr auto gesdd = &dgesdd_;
  static constexpr auto trsm = &cblas_dtrsm;
  static constexpr auto trsv = &cblas_dtrsv;
};

}  // namespace strata::cpu
