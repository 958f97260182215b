// LAPACK's routines out of OpenBLAS, by one name for real and complex numbers; every call is to run on one thread.
#pragma once
#ifdef STRATA_SLIM
#include "kernels/cpu/linalg/own_lapack.h"
#else
#include <cblas.h>

#include <cstddef>

#include "core/complex.h"

extern "C" {
// Fortran's calling convention: everything by pointer, the lengths of characters at the end.
#define STRATA_LAPACK(p, q, T)                                                                                        \
  void p##potrf_(const char* uplo, const blasint* n, T* a, const blasint* lda, blasint* info, size_t);                \
  void p##getrf_(const blasint* m, const blasint* n, T* a, const blasint* lda, blasint* pivots, blasint* info);       \
  void p##sytrf_(const char* uplo, const blasint* n, T* a, const blasint* lda, blasint* pivots, T* work,              \
                 const blasint* lwork, blasint* info, size_t);                                                        \
  void p##sytrs_(const char* uplo, const blasint* n, const blasint* columns, const T* a, const blasint* lda,          \
                 const blasint* pivots, T* b, const blasint* ldb, blasint* info, size_t);                             \
  void p##geqrf_(const blasint* m, const blasint* n, T* a, const blasint* lda, T* tau, T* work, const blasint* lwork, \
                 blasint* info);                                                                                      \
  void p##q##gqr_(const blasint* m, const blasint* n, const blasint* k, T* a, const blasint* lda, const T* tau,       \
                  T* work, const blasint* lwork, blasint* info);
#define STRATA_LAPACK_REAL(p, T)                                                                                       \
  STRATA_LAPACK(p, or, T)                                                                                              \
  void p##gebrd_(const blasint* m, const blasint* n, T* a, const blasint* lda, T* d, T* e, T* tauq, T* taup, T* work,  \
                 const blasint* lwork, blasint* info);                                                                 \
  void p##bdsdc_(const char* uplo, const char* job, const blasint* n, T* d, T* e, T* u, const blasint* ldu, T* vt,     \
                 const blasint* ldvt, T* q, blasint* iq, T* work, blasint* iwork, blasint* info, size_t, size_t);      \
  void p##stedc_(const char* job, const blasint* n, T* d, T* e, T* z, const blasint* ldz, T* work,                     \
                 const blasint* lwork, blasint* iwork, const blasint* liwork, blasint* info, size_t);                  \
  void p##laed2_(blasint* kept, const blasint* n, const blasint* cut, T* d, T* q, const blasint* ldq, blasint* order,  \
                 T* rho, T* z, T* poles, T* weights, T* q2, blasint* index, blasint* group, blasint* by_pole,          \
                 blasint* type, blasint* info);                                                                        \
  void p##laed4_(const blasint* n, const blasint* i, const T* poles, const T* weights, T* gaps, const T* rho, T* root, \
                 blasint* info);                                                                                       \
  void p##syevd_(const char* job, const char* uplo, const blasint* n, T* a, const blasint* lda, T* w, T* work,         \
                 const blasint* lwork, blasint* iwork, const blasint* liwork, blasint* info, size_t, size_t);          \
  void p##gesdd_(const char* job, const blasint* m, const blasint* n, T* a, const blasint* lda, T* s, T* u,            \
                 const blasint* ldu, T* vt, const blasint* ldvt, T* work, const blasint* lwork, blasint* iwork,        \
                 blasint* info, size_t);                                                                               \
  void p##gelsy_(const blasint* m, const blasint* n, const blasint* columns, T* a, const blasint* lda, T* b,           \
                 const blasint* ldb, blasint* order, const T* rcond, blasint* rank, T* work, const blasint* lwork,     \
                 blasint* info);                                                                                       \
  void p##gebal_(const char* job, const blasint* n, T* a, const blasint* lda, blasint* low, blasint* high, T* scale,   \
                 blasint* info, size_t);                                                                               \
  void p##gehrd_(const blasint* n, const blasint* low, const blasint* high, T* a, const blasint* lda, T* tau, T* work, \
                 const blasint* lwork, blasint* info);                                                                 \
  void p##orghr_(const blasint* n, const blasint* low, const blasint* high, T* a, const blasint* lda, const T* tau,    \
                 T* work, const blasint* lwork, blasint* info);                                                        \
  void p##lanv2_(T* a, T* b, T* c, T* d, T* re1, T* im1, T* re2, T* im2, T* cosine, T* sine);                          \
  void p##trevc3_(const char* side, const char* which, blasint* select, const blasint* n, const T* t,                  \
                  const blasint* ldt, T* vl, const blasint* ldvl, T* vr, const blasint* ldvr, const blasint* most,     \
                  blasint* columns, T* work, const blasint* lwork, blasint* info, size_t, size_t);                     \
  void p##gebak_(const char* job, const char* side, const blasint* n, const blasint* low, const blasint* high,         \
                 const T* scale, const blasint* columns, T* v, const blasint* ldv, blasint* info, size_t, size_t);     \
  void p##geev_(const char* jobvl, const char* jobvr, const blasint* n, T* a, const blasint* lda, T* wr, T* wi, T* vl, \
                const blasint* ldvl, T* vr, const blasint* ldvr, T* work, const blasint* lwork, blasint* info, size_t, \
                size_t);
#define STRATA_LAPACK_COMPLEX(p, C, T)                                                                             \
  STRATA_LAPACK(p, un, C)                                                                                          \
  void p##hetrf_(const char* uplo, const blasint* n, C* a, const blasint* lda, blasint* pivots, C* work,           \
                 const blasint* lwork, blasint* info, size_t);                                                     \
  void p##hetrs_(const char* uplo, const blasint* n, const blasint* columns, const C* a, const blasint* lda,       \
                 const blasint* pivots, C* b, const blasint* ldb, blasint* info, size_t);                          \
  void p##heevd_(const char* job, const char* uplo, const blasint* n, C* a, const blasint* lda, T* w, C* work,     \
                 const blasint* lwork, T* rwork, const blasint* lrwork, blasint* iwork, const blasint* liwork,     \
                 blasint* info, size_t, size_t);                                                                   \
  void p##gesdd_(const char* job, const blasint* m, const blasint* n, C* a, const blasint* lda, T* s, C* u,        \
                 const blasint* ldu, C* vt, const blasint* ldvt, C* work, const blasint* lwork, T* rwork,          \
                 blasint* iwork, blasint* info, size_t);                                                           \
  void p##gelsy_(const blasint* m, const blasint* n, const blasint* columns, C* a, const blasint* lda, C* b,       \
                 const blasint* ldb, blasint* order, const T* rcond, blasint* rank, C* work, const blasint* lwork, \
                 T* rwork, blasint* info);                                                                         \
  void p##geev_(const char* jobvl, const char* jobvr, const blasint* n, C* a, const blasint* lda, C* w, C* vl,     \
                const blasint* ldvl, C* vr, const blasint* ldvr, C* work, const blasint* lwork, T* rwork,          \
                blasint* info, size_t, size_t);
STRATA_LAPACK_REAL(s, float)
STRATA_LAPACK_REAL(d, double)
STRATA_LAPACK_COMPLEX(c, strata::Complex<float>, float)
STRATA_LAPACK_COMPLEX(z, strata::Complex<double>, double)
#undef STRATA_LAPACK_COMPLEX
#undef STRATA_LAPACK_REAL
#undef STRATA_LAPACK
}

namespace strata::cpu::linalg {

/// The routines by the names of the complex ones; `one` is the factor 1 as trsm takes it.
template <class T>
struct Lapack;
template <>
struct Lapack<float> {
  static constexpr auto potrf = &spotrf_;
  static constexpr auto sytrf = &ssytrf_;
  static constexpr auto sytrs = &ssytrs_;
  static constexpr auto hetrf = &ssytrf_;
  static constexpr auto hetrs = &ssytrs_;
  static constexpr auto getrf = &sgetrf_;
  static constexpr auto geqrf = &sgeqrf_;
  static constexpr auto ungqr = &sorgqr_;
  static constexpr auto heevd = &ssyevd_;
  static constexpr auto stedc = &sstedc_;
  static constexpr auto laed2 = &slaed2_;
  static constexpr auto laed4 = &slaed4_;
  static constexpr auto gebrd = &sgebrd_;
  static constexpr auto bdsdc = &sbdsdc_;
  static constexpr auto gelsy = &sgelsy_;
  static constexpr auto gebal = &sgebal_;
  static constexpr auto gehrd = &sgehrd_;
  static constexpr auto orghr = &sorghr_;
  static constexpr auto lanv2 = &slanv2_;
  static constexpr auto trevc3 = &strevc3_;
  static constexpr auto gebak = &sgebak_;
  static constexpr auto geev = &sgeev_;
  static constexpr auto gesdd = &sgesdd_;
  static constexpr auto trsm = &cblas_strsm;
  static constexpr auto trsv = &cblas_strsv;
  static constexpr float one = 1;
};
template <>
struct Lapack<double> {
  static constexpr auto potrf = &dpotrf_;
  static constexpr auto sytrf = &dsytrf_;
  static constexpr auto sytrs = &dsytrs_;
  static constexpr auto hetrf = &dsytrf_;
  static constexpr auto hetrs = &dsytrs_;
  static constexpr auto getrf = &dgetrf_;
  static constexpr auto geqrf = &dgeqrf_;
  static constexpr auto ungqr = &dorgqr_;
  static constexpr auto heevd = &dsyevd_;
  static constexpr auto stedc = &dstedc_;
  static constexpr auto laed2 = &dlaed2_;
  static constexpr auto laed4 = &dlaed4_;
  static constexpr auto gebrd = &dgebrd_;
  static constexpr auto bdsdc = &dbdsdc_;
  static constexpr auto gelsy = &dgelsy_;
  static constexpr auto gebal = &dgebal_;
  static constexpr auto gehrd = &dgehrd_;
  static constexpr auto orghr = &dorghr_;
  static constexpr auto lanv2 = &dlanv2_;
  static constexpr auto trevc3 = &dtrevc3_;
  static constexpr auto gebak = &dgebak_;
  static constexpr auto geev = &dgeev_;
  static constexpr auto gesdd = &dgesdd_;
  static constexpr auto trsm = &cblas_dtrsm;
  static constexpr auto trsv = &cblas_dtrsv;
  static constexpr double one = 1;
};
template <>
struct Lapack<Complex<float> > {
  static constexpr auto potrf = &cpotrf_;
  static constexpr auto sytrf = &csytrf_;
  static constexpr auto sytrs = &csytrs_;
  static constexpr auto hetrf = &chetrf_;
  static constexpr auto hetrs = &chetrs_;
  static constexpr auto getrf = &cgetrf_;
  static constexpr auto geqrf = &cgeqrf_;
  static constexpr auto ungqr = &cungqr_;
  static constexpr auto heevd = &cheevd_;
  static constexpr auto gelsy = &cgelsy_;
  static constexpr auto geev = &cgeev_;
  static constexpr auto gesdd = &cgesdd_;
  static constexpr auto trsm = &cblas_ctrsm;
  static constexpr auto trsv = &cblas_ctrsv;
  static constexpr float kOne[2] = {1, 0};
  static constexpr const void* one = kOne;
};
template <>
struct Lapack<Complex<double> > {
  static constexpr auto potrf = &zpotrf_;
  static constexpr auto sytrf = &zsytrf_;
  static constexpr auto sytrs = &zsytrs_;
  static constexpr auto hetrf = &zhetrf_;
  static constexpr auto hetrs = &zhetrs_;
  static constexpr auto getrf = &zgetrf_;
  static constexpr auto geqrf = &zgeqrf_;
  static constexpr auto ungqr = &zungqr_;
  static constexpr auto heevd = &zheevd_;
  static constexpr auto gelsy = &zgelsy_;
  static constexpr auto geev = &zgeev_;
  static constexpr auto gesdd = &zgesdd_;
  static constexpr auto trsm = &cblas_ztrsm;
  static constexpr auto trsv = &cblas_ztrsv;
  static constexpr double kOne[2] = {1, 0};
  static constexpr const void* one = kOne;
};

}  // namespace strata::cpu::linalg
#endif
