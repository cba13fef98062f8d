/*
 * Names that exist in numpy 1.21 to 1.26, in its arrays or in Python. Of these the answer says that
 * we do not have them, of all others that there is no such name. Words, each followed by a space.
 */
#include "cmds/array/function.h"

#include <string.h>

static const char numpy_names[] =
	"ALLOW_THREADS BUFSIZE Bytes0 CLIP DataSource Datetime64 ERR_CALL ERR_DEFAULT "
	"ERR_IGNORE ERR_LOG ERR_PRINT ERR_RAISE ERR_WARN FLOATING_POINT_SUPPORT "
	"FPE_DIVIDEBYZERO FPE_INVALID FPE_OVERFLOW FPE_UNDERFLOW False_ Inf Infinity MAXDIMS "
	"MAY_SHARE_BOUNDS MAY_SHARE_EXACT MachAr NAN NINF NZERO NaN PINF PZERO RAISE "
	"RankWarning SHIFT_DIVIDEBYZERO SHIFT_INVALID SHIFT_OVERFLOW SHIFT_UNDERFLOW "
	"ScalarType Str0 Tester True_ UFUNC_BUFSIZE_DEFAULT UFUNC_PYVALS_NAME Uint64 WRAP "
	"__all__ __dict__ __doc__ __file__ __name__ __version__ abs absolute add "
	"add_docstring add_newdoc add_newdoc_ufunc alen all allclose alltrue amax amin angle "
	"any append apply_along_axis apply_over_axes arange arccos arccosh arcsin arcsinh "
	"arctan arctan2 arctanh argmax argmin argpartition argsort argwhere around array "
	"array2string array_equal array_equiv array_repr array_split array_str asanyarray "
	"asarray asarray_chkfinite ascontiguousarray asfarray asfortranarray asmatrix "
	"asscalar atleast_1d atleast_2d atleast_3d average bartlett base_repr binary_repr "
	"bincount bitwise_and bitwise_not bitwise_or bitwise_xor blackman block bmat bool "
	"bool8 bool_ broadcast broadcast_arrays broadcast_shapes broadcast_to busday_count "
	"busday_offset busdaycalendar byte byte_bounds bytes0 bytes_ c_ can_cast cast cbrt "
	"cdouble ceil cfloat char character chararray choose clip clongdouble clongfloat "
	"column_stack common_type compare_chararrays compat complex complex128 complex256 "
	"complex64 complex_ complexfloating compress concatenate conj conjugate convolve copy "
	"copysign copyto corrcoef correlate cos cosh count_nonzero cov cross csingle "
	"ctypeslib cumprod cumproduct cumsum datetime64 datetime_as_string datetime_data "
	"deg2rad degrees delete deprecate deprecate_with_doc diag diag_indices "
	"diag_indices_from diagflat diagonal diff digitize disp divide divmod dot double "
	"dsplit dstack dtype dtypes e ediff1d einsum einsum_path emath empty empty_like equal "
	"errstate euler_gamma exceptions exp exp2 expand_dims expm1 extract eye fabs "
	"fastCopyAndTranspose fft fill_diagonal find_common_type finfo fix flatiter "
	"flatnonzero flexible flip fliplr flipud float float128 float16 float32 float64 "
	"float_ float_power floating floor floor_divide fmax fmin fmod "
	"format_float_positional format_float_scientific format_parser frexp from_dlpack "
	"frombuffer fromfile fromfunction fromiter frompyfunc fromregex fromstring full "
	"full_like gcd generic genfromtxt geomspace get_array_wrap get_include "
	"get_printoptions getbufsize geterr geterrcall geterrobj gradient greater "
	"greater_equal half hamming hanning heaviside histogram histogram2d "
	"histogram_bin_edges histogramdd hsplit hstack hypot i0 identity iinfo imag in1d "
	"index_exp indices inexact inf info infty inner insert int int0 int16 int32 int64 "
	"int8 int_ intc integer interp intersect1d intp invert is_busday isclose iscomplex "
	"iscomplexobj isfinite isfortran isin isinf isnan isnat isneginf isposinf isreal "
	"isrealobj isscalar issctype issubclass_ issubdtype issubsctype iterable ix_ kaiser "
	"kernel_version kron lcm ldexp left_shift less less_equal lexsort lib linalg linspace "
	"little_endian load loads loadtxt log log10 log1p log2 logaddexp logaddexp2 "
	"logical_and logical_not logical_or logical_xor logspace long longcomplex longdouble "
	"longfloat longlong lookfor ma machar mafromtxt mask_indices mat matmul matrix max "
	"maximum maximum_sctype may_share_memory mean median memmap meshgrid mgrid min "
	"min_scalar_type minimum mintypecode mod modf moveaxis msort multiply nan nan_to_num "
	"nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin "
	"nanpercentile nanprod nanquantile nanstd nansum nanvar nbytes ndarray ndenumerate "
	"ndfromtxt ndim ndindex nditer negative nested_iters newaxis nextafter nonzero "
	"not_equal numarray number obj2sctype object object0 object_ ogrid oldnumeric ones "
	"ones_like outer packbits pad partition percentile pi piecewise place poly poly1d "
	"polyadd polyder polydiv polyfit polyint polymul polynomial polysub polyval positive "
	"power printoptions prod product promote_types ptp put put_along_axis putmask "
	"quantile r_ rad2deg radians random rank ravel ravel_multi_index real real_if_close "
	"rec recarray recfromcsv recfromtxt reciprocal record remainder repeat require "
	"reshape resize result_type right_shift rint roll rollaxis roots rot90 round round_ "
	"row_stack s_ safe_eval save savetxt savez savez_compressed sctype2char sctypeDict "
	"sctypes searchsorted select set_numeric_ops set_printoptions set_string_function "
	"setbufsize setdiff1d seterr seterrcall seterrobj setxor1d shape shares_memory short "
	"show_config show_runtime sign signbit signedinteger sin sinc single singlecomplex "
	"sinh size sometrue sort sort_complex source spacing split sqrt square squeeze stack "
	"std str str0 str_ string_ subtract sum swapaxes take take_along_axis tan tanh "
	"tensordot test testing tile timedelta64 trace tracemalloc_domain transpose trapz tri "
	"tril tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from "
	"true_divide trunc typeDict typecodes typename ubyte ufunc uint uint0 uint16 uint32 "
	"uint64 uint8 uintc uintp ulonglong unicode unicode_ union1d unique unpackbits "
	"unravel_index unsignedinteger unwrap ushort vander var vdot vectorize version void "
	"void0 vsplit vstack where who zeros zeros_like ";

static const char linalg_names[] =
	"LinAlgError cholesky cond det eig eigh eigvals eigvalsh inv linalg lstsq "
	"matrix_power matrix_rank multi_dot norm pinv qr slogdet solve svd tensorinv "
	"tensorsolve test ";

static const char array_names[] =
	"T all any argmax argmin argpartition argsort as_integer_ratio astype base bit_count "
	"byteswap choose clip compress conj conjugate copy ctypes cumprod cumsum data "
	"denominator diagonal dot dtype dump dumps fill flags flat flatten fromhex getfield "
	"hex imag is_integer item itemset itemsize max mean min nbytes ndim newbyteorder "
	"nonzero numerator partition prod ptp put ravel real repeat reshape resize round "
	"searchsorted setfield setflags shape size sort squeeze std strides sum swapaxes take "
	"tobytes tofile tolist tostring trace transpose var view ";

static const char python_names[] =
	"ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup "
	"BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError "
	"ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError "
	"DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception "
	"ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError "
	"FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError "
	"IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError "
	"MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented "
	"NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError "
	"ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError "
	"RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning "
	"SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError "
	"UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError "
	"UnicodeWarning UserWarning ValueError Warning ZeroDivisionError abs aiter all anext "
	"any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile "
	"complex copyright credits delattr dict dir divmod enumerate eval exec exit filter "
	"float format frozenset getattr globals hasattr hash help hex id input int isinstance "
	"issubclass iter len license list locals map max memoryview min next object oct open "
	"ord pow print property quit range repr reversed round set setattr slice sorted "
	"staticmethod str sum super tuple type vars zip __import__ __name__ self ";

/* Attributes of Python's own values, and of dtypes. */
static const char value_names[] =
	"alignment append as_integer_ratio base bit_count bit_length byteorder capitalize "
	"casefold center char clear conjugate copy count decode denominator descr encode "
	"endswith expandtabs extend fields find flags format format_map from_bytes fromhex "
	"hasobject hex imag index insert is_integer isalignedstruct isalnum isalpha isascii "
	"isbuiltin isdecimal isdigit isidentifier islower isnative isnumeric isprintable "
	"isspace istitle isupper itemsize join kind ljust lower lstrip maketrans metadata mro "
	"name names ndim newbyteorder num numerator partition pop real remove removeprefix "
	"removesuffix replace reverse rfind rindex rjust rpartition rsplit rstrip shape sort "
	"split splitlines startswith str strip subdtype swapcase title to_bytes translate "
	"type upper zfill ";

/* Is name one of the words? */
static bool is_word_of(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = text; *at; at += strcspn(at, " ") + 1)
		if (!strncmp(at, name, len) && at[len] == ' ')
			return true;
	return false;
}

bool function_known_elsewhere(const char *name, enum function_place place)
{
	/* Python's special names, which every object has. */
	if (place != IN_PYTHON && !strncmp(name, "__", 2))
		return true;
	switch (place) {
	case IN_NUMPY:
		return is_word_of(numpy_names, name);
	case IN_LINALG:
		return is_word_of(linalg_names, name);
	case IN_ARRAY:
	case IN_ATTRIBUTE:
		return is_word_of(array_names, name);
	case IN_VALUE:
		return is_word_of(value_names, name);
	default:
		return is_word_of(python_names, name);
	}
}
