#include "copy.h"

#include <stdint.h>
#include <string.h>

enum { LINE = 64 };

/* Copies whole lines; `to` is aligned to a line. */
typedef void lines(char *to, const char *from, size_t length);

#if defined(__x86_64__)

#include <immintrin.h>

/* On x86-64 every processor has SSE2. */
static void lines_baseline(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i += LINE) {
        __m128i a = _mm_loadu_si128((const __m128i *) (from + i));
        __m128i b = _mm_loadu_si128((const __m128i *) (from + i + 16));
        __m128i c = _mm_loadu_si128((const __m128i *) (from + i + 32));
        __m128i d = _mm_loadu_si128((const __m128i *) (from + i + 48));

        _mm_stream_si128((__m128i *) (to + i), a);
        _mm_stream_si128((__m128i *) (to + i + 16), b);
        _mm_stream_si128((__m128i *) (to + i + 32), c);
        _mm_stream_si128((__m128i *) (to + i + 48), d);
    }
}

__attribute__((target("avx2"))) static void lines_avx2(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i += LINE) {
        __m256i a = _mm256_loadu_si256((const __m256i *) (from + i));
        __m256i b = _mm256_loadu_si256((const __m256i *) (from + i + 32));

        _mm256_stream_si256((__m256i *) (to + i), a);
        _mm256_stream_si256((__m256i *) (to + i + 32), b);
    }
}

__attribute__((target("avx512f"))) static void lines_avx512(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i += LINE)
        _mm512_stream_si512((__m512i *) (to + i), _mm512_loadu_si512(from + i));
}

/* Stores past the caches are not ordered by x86's rules: a later ordinary store could be seen first. */
static void order_stores(void)
{
    _mm_sfence();
}

bool copy_supported(int method)
{
    __builtin_cpu_init();
    switch (method) {
    case COPY_BASELINE:
        return true;
    case COPY_AVX2:
        return __builtin_cpu_supports("avx2");
    case COPY_AVX512:
        return __builtin_cpu_supports("avx512f");
    default:
        return false;
    }
}

static lines *const all_lines[COPY_METHODS] = { lines_baseline, lines_avx2, lines_avx512 };

#elif defined(__aarch64__)

static void lines_baseline(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i += LINE)
        __asm__ volatile("ldp q0, q1, [%1]\n\t"
                         "ldp q2, q3, [%1, #32]\n\t"
                         "stnp q0, q1, [%0]\n\t"
                         "stnp q2, q3, [%0, #32]"
                         :
                         : "r"(to + i), "r"(from + i)
                         : "v0", "v1", "v2", "v3", "memory");
}

static void order_stores(void)
{
    __asm__ volatile("dmb ishst" : : : "memory");
}

bool copy_supported(int method)
{
    return method == COPY_BASELINE;
}

static lines *const all_lines[COPY_METHODS] = { lines_baseline, NULL, NULL };

#else
#error "no copy past the caches for this architecture"
#endif

int copy_best(void)
{
    int best = COPY_METHODS - 1;

    while (!copy_supported(best))
        best--;
    return best;
}

void copy_past_caches(int method, void *to, const void *from, size_t length)
{
    char *target = to;
    const char *source = from;
    size_t head = -(uintptr_t) target & (LINE - 1);
    size_t whole;

    if (length < head + LINE) {
        memcpy(target, source, length);
        return;
    }
    memcpy(target, source, head);
    target += head;
    source += head;
    length -= head;
    whole = length & ~(size_t) (LINE - 1);
    all_lines[method](target, source, whole);
    memcpy(target + whole, source + whole, length - whole);
    order_stores();
}
