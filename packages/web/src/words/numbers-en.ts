/** What stands around numbers, in English. */
export const numbers = {
  percent: (value: string | number): string => `${value}%`,
  /** Smaller than what can be shown. */
  below: (least: string): string => `< ${least}`,
  milliseconds: (count: number): string => `${count} ms`,
  seconds: (count: number): string => `${count} s`,
  minutes: (count: number): string => `${count} min`,
  hours: (count: number): string => `${count} h`,
  trillions: "T",
  billions: "B",
  millions: "M",
  thousands: "K",
} as const;
