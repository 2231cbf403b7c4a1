/** What the table of rooms says of each. */
export interface Room {
  readonly folder: string;
  readonly code: readonly string[];
  readonly contracts: readonly string[];
  /** May it import Node's own modules and packages of npm? */
  readonly outside: boolean;
}
