"""What is missing of a tile's request, in pixels; the definition is Sources/Metrics/PixelShortfall.swift."""

import numpy as np
import pandas as pd


def missing_pixels(streams: pd.DataFrame, interval: float) -> np.ndarray:
    """Squares of lines x frames that each row lacks of its request.

    More than was asked for counts for nothing, and one frame too few for none missing: it may fall on either side of
    the interval's end. A table without requested frame rates counts lines alone.
    """
    asked = streams["requested_height_px"].fillna(0.0).to_numpy(float)
    lines = np.minimum(streams["frame_height_px"].fillna(0.0).to_numpy(float), asked)
    if "requested_fps" not in streams or "frames_per_second" not in streams:
        return (asked**2 - lines**2) * interval
    wanted = np.maximum(streams["requested_fps"].fillna(0.0).to_numpy(float), 0.001) * interval
    frames = streams["frames_per_second"].fillna(0.0).to_numpy(float) * interval
    shown = np.where((frames > 0) & (frames + 1 >= wanted), wanted, np.minimum(frames, wanted))
    return asked**2 * wanted - lines**2 * shown
