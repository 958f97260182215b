"""Writes pictures.safetensors, which test/data/image.cpp reads: small picture files, and the pixels that Pillow reads from
them as (C, H, W): `python test/data/make_pictures.py`. Wants numpy, Pillow 13 and safetensors.
"""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image
from safetensors.numpy import save_file

numbers = np.random.default_rng(0)
tensors = {}


def smooth(height, width, channels):
    y, x = np.mgrid[:height, :width]
    waves = [127 + 120 * np.sin(x / (4 + 3 * c) + y / (5 + 2 * c)) for c in range(channels)]
    return np.clip(np.stack(waves, -1) + numbers.normal(0, 8, (height, width, channels)), 0, 255).astype(np.uint8)


def keep(name, file, pixels=None):
    """Pixels are given where Pillow has no mode for them."""
    tensors[f"{name}.file"] = np.frombuffer(file, np.uint8)
    image = Image.open(io.BytesIO(file))
    if pixels is None:
        if image.mode in ("P", "1") or "transparency" in image.info:
            image = image.convert("RGBA" if "transparency" in image.info else "RGB" if image.mode == "P" else "L")
        elif image.mode == "CMYK":
            image = image.convert("RGB")
        pixels = np.asarray(image)
    pixels = pixels[..., None] if pixels.ndim == 2 else pixels
    tensors[f"{name}.pixels"] = np.ascontiguousarray(pixels.transpose(2, 0, 1))


def saved(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def png(height, width, depth, kind, rows, chunks=b"", interlaced=0):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunks + chunk(b"IDAT", zlib.compress(rows)) +
            chunk(b"IEND", b""))


rgb, rgba = Image.fromarray(smooth(21, 19, 3)), Image.fromarray(smooth(9, 7, 4))
gray, gray_alpha = Image.fromarray(smooth(21, 19, 1)[..., 0]), Image.fromarray(smooth(9, 7, 2))
for subsampling in (0, 1, 2):
    keep(f"jpeg_{subsampling}", saved(rgb, "JPEG", quality=85, subsampling=subsampling))
keep("jpeg_progressive", saved(rgb, "JPEG", progressive=True))
keep("jpeg_restarts", saved(rgb, "JPEG", restart_marker_blocks=2))
keep("jpeg_gray", saved(gray, "JPEG"))
keep("jpeg_cmyk", saved(Image.fromarray(smooth(21, 19, 4), "CMYK"), "JPEG", quality=90))

few = Image.fromarray(smooth(9, 7, 3))
palette = few.quantize(30)
keep("png_rgb", saved(few, "PNG"))
tensors["png_rgb.gray"] = np.asarray(few.convert("L"))[None]
keep("png_rgba", saved(rgba, "PNG"))
keep("png_gray", saved(gray, "PNG"))
keep("png_gray_alpha", saved(gray_alpha, "PNG"))
keep("png_palette", saved(palette, "PNG"))
keep("png_palette_alpha", saved(palette, "PNG", transparency=bytes(range(0, 240, 8))))
keep("png_bits", saved(gray.convert("1"), "PNG"))
keep("png_transparent", saved(few, "PNG", transparency=few.getpixel((0, 0))))
for kind, channels in ((0, 1), (4, 2), (2, 3), (6, 4)):
    wide = numbers.integers(0, 65536, (5, 6, channels)).astype(">u2")
    gamma = b"\0\0\0\4gAMA" + struct.pack(">I", 100000)  # numbers are read as they are
    file = png(5, 6, 16, kind, b"".join(b"\0" + row.tobytes() for row in wide),
               gamma + struct.pack(">I", zlib.crc32(gamma[4:])))
    keep(f"png_16_{channels}", file, (wide >> 8).astype(np.uint8))
pixels, rows = smooth(11, 13, 3), b""
for y, x, down, right in ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)):
    rows += b"".join(b"\0" + row.tobytes() for row in pixels[y::down, x::right])
keep("png_interlaced", png(11, 13, 8, 2, rows, interlaced=1))

keep("bmp", saved(few, "BMP"))
keep("bmp_palette", saved(palette, "BMP"))
keep("gif", saved(palette, "GIF"), np.asarray(palette.convert("RGBA")))  # a frame may be in part transparent
keep("ppm", saved(few, "PPM"))
keep("pgm", saved(gray, "PPM"))
keep("ppm_16", b"P6 # sixteen\n6 5\n65535\n" + numbers.integers(0, 256, 5 * 6 * 6).astype(np.uint8).tobytes())
keep("ppm_101", b"P6\n6 5\n101\n" + numbers.integers(0, 102, 5 * 6 * 3).astype(np.uint8).tobytes())

save_file(tensors, Path(__file__).with_name("pictures.safetensors"))
