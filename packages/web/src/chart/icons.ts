/** Icons of the chart as SVG paths, on a 16 by 16 grid. */

/** An oscillating line around a straight one. */
export const INDICATORS_ICON = "M1.500 12c2.500-9 4.500-9 6.500-4s4 4 6.500-5M1.500 8.500h2m3 0h3m3 0h2";
/** Two candles. */
export const VIEW_ICON = "M5 1.500v3m0 7v3M3 4.500h4v7H3zM11 3v2.500m0 4V13M9 5.500h4v4H9z";
export const BELL = "M8 2a4 4 0 0 0-4 4c0 4-1.500 5-1.500 5h11S12 10 12 6a4 4 0 0 0-4-4zM6.500 13.500h3";
