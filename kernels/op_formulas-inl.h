// Lists of element-wise ops whose formulas have loops over vectors too; one list is compiled at a time.
//
// Included inside of a namespace after formulas-inl.h, by op_formulas.h and once per instruction set.

using Simple =
    List<Unary<neg_op, Neg, kNumbers>,               //
         Unary<abs_op, Abs, kNumeric>,               //
         Unary<sign_op, Sign, kNumeric>,             //
         Unary<square_op, Square, kNumbers>,         //
         Unary<relu_op, Relu, kNumeric>,             //
         Unary<sqrt_op, Sqrt, kFields>,              //
         Unary<rsqrt_op, Rsqrt, kFields>,            //
         Unary<reciprocal_op, Reciprocal, kFields>,  //
         Unary<floor_op, Floor, kNumeric>,           //
         Unary<ceil_op, Ceil, kNumeric>,             //
         Unary<round_op, Round, kNumeric>,           //
         Unary<round_to_op, RoundTo, kFloats, RoundToParams>, Unary<frexp_mantissa_op, FrexpMantissa, kFloats>,
         Unary<frexp_exponent_op, FrexpExponent, kFloats>, Unary<trunc_op, Trunc, kNumeric>,            //
         Unary<frac_op, Frac, kFloats>,                                                                 //
         Unary<nan_to_num_op, NanToNum, kFloats, NanToNumParams>, Unary<isnan_op, IsNan, kEverything>,  //
         Unary<isinf_op, IsInf, kEverything>,                                                           //
         Unary<isfinite_op, IsFinite, kEverything>,                                                     //
         Unary<logical_not_op, LogicalNot, kEverything>>;

using Exponential = List<Unary<exp_op, Exp, kFields>,      //
                         Unary<exp2_op, Exp2, kFields>,    //
                         Unary<expm1_op, Expm1, kFields>,  //
                         Unary<log_op, Log, kFields>,      //
                         Unary<log2_op, Log2, kFields>,    //
                         Unary<log10_op, Log10, kFields>,  //
                         Unary<log1p_op, Log1p, kFields>,  //
                         Unary<sigmoid_op, Sigmoid, kFields>>;

using Hyperbolic = List<Unary<sinh_op, Sinh, kFields>,    //
                        Unary<cosh_op, Cosh, kFields>,    //
                        Unary<tanh_op, Tanh, kFields>,    //
                        Unary<asinh_op, Asinh, kFields>,  //
                        Unary<acosh_op, Acosh, kFields>,  //
                        Unary<atanh_op, Atanh, kFields>,  //
                        Binary<acosh_backward_op, AcoshBackward, kFloats>>;

using Trigonometric = List<Unary<sin_op, Sin, kFields>,    //
                           Unary<cos_op, Cos, kFields>,    //
                           Unary<tan_op, Tan, kFields>,    //
                           Unary<sinc_op, Sinc, kFields>,  //
                           Unary<asin_op, Asin, kFields>,  //
                           Unary<acos_op, Acos, kFields>,  //
                           Unary<atan_op, Atan, kFields>,  //
                           Unary<erf_op, Erf, kFloats>>;

using Activations =
    List<OpFormulas<gelu_op, 1, kFloats, GeluParams, Gelu, GeluTanh>,                           //
         OpFormulas<gelu_backward_op, 2, kFloats, GeluParams, GeluBackward, GeluTanhBackward>,  //
         Unary<silu_op, Silu, kFloats>,                                                         //
         Binary<silu_backward_op, SiluBackward, kFloats>,                                       //
         Unary<mish_op, Mish, kFloats>,                                                         //
         Binary<mish_backward_op, MishBackward, kFloats>,                                       //
         Binary<glu_op, Glu, kFloats>, Ternary<glu_gate_op, GluGate, kFloats>,
         Unary<log_sigmoid_op, LogSigmoid, kFloats>, Binary<log_sigmoid_backward_op, LogSigmoidBackward, kFloats>,
         Unary<hardsigmoid_op, Hardsigmoid, kFloats>, Binary<hardsigmoid_backward_op, HardsigmoidBackward, kFloats>,
         Unary<shrink_op, Shrink, kFloats, ShrinkParams>,
         Binary<shrink_backward_op, ShrinkBackward, kFloats, ShrinkParams>, Unary<hardswish_op, Hardswish, kFloats>,  //
         Binary<hardswish_backward_op, HardswishBackward, kFloats>,                                                   //
         Unary<leaky_relu_op, LeakyRelu, kFloats, LeakyReluParams>,                                                   //
         Binary<prelu_op, Prelu, kFloats>,                                                                            //
         Unary<elu_op, Elu, kFloats, EluParams>,                                                                      //
         Unary<softplus_op, Softplus, kFloats, SoftplusParams>,                                                       //
         Unary<hardtanh_op, Hardtanh, kFloats, HardtanhParams>,                                                       //
         Unary<threshold_op, Threshold, kFloats, ThresholdParams>,                                                    //
         Binary<relu_backward_op, ReluBackward, kFloats>,                                                             //
         Binary<tanh_backward_op, TanhBackward, kFields>,                                                             //
         Binary<sigmoid_backward_op, SigmoidBackward, kFields>,
         Binary<leaky_relu_backward_op, LeakyReluBackward, kFloats, LeakyReluParams>,  //
         Binary<elu_backward_op, EluBackward, kFloats, EluParams>,                     //
         Binary<softplus_backward_op, SoftplusBackward, kFloats, SoftplusParams>,      //
         Binary<hardtanh_backward_op, HardtanhBackward, kFloats, HardtanhParams>,      //
         Binary<threshold_backward_op, ThresholdBackward, kFloats, ThresholdParams>>;

using Arithmetic = List<Binary<add_op, Add, kEverything>,                   //
                        Binary<sub_op, Sub, kNumbers>,                      //
                        Binary<mul_op, Mul, kEverything>,                   //
                        Binary<div_op, Div, kFields>,                       //
                        Unary<mul_scalar_op, Mul, kFloats, NumberParams>,   //
                        Unary<div_scalar_op, Div, kFloats, NumberParams>,   //
                        Binary<maximum_op, Maximum, kReals | kUnsigned>,    //
                        Binary<minimum_op, Minimum, kReals | kUnsigned>,    //
                        Binary<fmax_op, Fmax, kReals>,                      //
                        Binary<fmin_op, Fmin, kReals>,                      //
                        Binary<atan2_op, Atan2, kFloats>,                   //
                        Binary<xlogy_op, Xlogy, kFloats>,                   //
                        Binary<logaddexp_op, Logaddexp, kFloats>,           //
                        Binary<logaddexp2_op, Logaddexp2, kFloats>,         //
                        Binary<hypot_op, Hypot, kFloats>,                   //
                        Binary<copysign_op, Copysign, kFloats>,             //
                        Binary<nextafter_op, Nextafter, kFloats>,           //
                        Ternary<clamp_op, Clamp, kReals>,                   //
                        Ternary<lerp_op, Lerp, kFloats>,                    //
                        Binary<lerp_scalar_op, Lerp, kFloats, LerpParams>,  //
                        Ternary<addcmul_op, Addcmul, kFloats, AddcParams>,  //
                        Ternary<addcdiv_op, Addcdiv, kFloats, AddcParams>>;

using Divisions = List<Binary<fmod_op, Fmod, kNumeric>,                 //
                       Binary<remainder_op, Remainder, kNumeric>,       //
                       Binary<floor_divide_op, FloorDivide, kNumeric>,  //
                       Binary<div_trunc_op, DivTrunc, kNumeric>>;

using SpecialFunctions =
    List<Unary<erfc_op, Erfc, kFloats>,        //
         Unary<erfinv_op, Erfinv, kFloats>,    //
         Unary<entr_op, Entr, kFloats>,        //
         Unary<ndtri_op, Ndtri, kFloats>,      //
         Unary<lgamma_op, Lgamma, kFloats>,    //
         Unary<digamma_op, Digamma, kFloats>,  //
         OpFormulas<polygamma_op, 1, kFloats, PolygammaParams, Trigamma, Polygamma>, Binary<zeta_op, Zeta, kFloats>,
         Binary<xlog1py_op, Xlog1py, kFloats>, Unary<erfcx_op, Erfcx, kFloats>, Unary<ndtr_op, Ndtr, kFloats>,
         Unary<log_ndtr_op, LogNdtr, kFloats>, Unary<logit_op, Logit, kFloats, LogitParams>,
         Binary<logit_backward_op, LogitBackward, kFloats, LogitParams>>;

// In the order of their enum in ops/special_def.h.
using BesselFunctions =
    List<OpFormulas<bessel_op, 1, kFloats, BesselParams, BesselJ0, BesselJ1, BesselY0, BesselY1, BesselI1, BesselI0e,
                    BesselI1e, BesselK0<false>, BesselK1<false>, BesselK0<true>, BesselK1<true>, AiryAi, AiryAiSlope>,
         Unary<i0_op, BesselI0, kFloats>>;

// As above.
using Polynomials =
    List<OpFormulas<polynomial_op, 2, kFloats, PolynomialParams, Chebyshev<'t', false>, Chebyshev<'u', false>,
                    Chebyshev<'v', false>, Chebyshev<'w', false>, Chebyshev<'t', true>, Chebyshev<'u', true>,
                    Chebyshev<'v', true>, Chebyshev<'w', true>, HermiteH, HermiteHe, LaguerreL, LegendreP>,
         Binary<gammainc_op, Gammainc, kFloats>,  //
         Binary<gammaincc_op, Gammaincc, kFloats>>;

using Powers = List<Binary<pow_op, Pow, kNumbers>>;

using Comparisons = List<Binary<eq_op, Eq, kEverything>,                   //
                         Binary<ne_op, Ne, kEverything>,                   //
                         Binary<lt_op, Lt, kReals>,                        //
                         Binary<le_op, Le, kReals>,                        //
                         Binary<gt_op, Gt, kReals>,                        //
                         Binary<ge_op, Ge, kReals>,                        //
                         Binary<logical_and_op, LogicalAnd, kEverything>,  //
                         Binary<logical_or_op, LogicalOr, kEverything>,    //
                         Binary<logical_xor_op, LogicalXor, kEverything>>;

using Losses = List<Binary<binary_cross_entropy_op, BinaryCrossEntropy, kFloats>,                        //
                    Binary<binary_cross_entropy_with_logits_op, BinaryCrossEntropyWithLogits, kFloats>,  //
                    Binary<smooth_l1_op, SmoothL1, kFloats, SmoothL1Params>,                             //
                    Ternary<smooth_l1_backward_op, SmoothL1Backward, kFloats, SmoothL1Params>>;
