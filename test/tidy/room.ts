/** What the table of rooms says of each. */
export interface Room {
  readonly folder: string;
  readonly code: readonly string[];
  readonly contracts: readonly string[];
  /** May it import Node's own modules and packages of npm? */
  readonly outside: boolean;
  /**
   * The parts of the room from the ground up, as paths in its folder, for a room whose subfolders have files of the
   * room above them and below them. A part imports those of lower floors alone; its neighbours on a floor know nothing
   * of it. `OWN` is the place of all files that stand in no part, which is above all of them where nothing else is said.
   */
  readonly floors?: readonly (readonly string[])[];
}

/** The files of a room that stand in none of its parts. */
export const OWN = ".";
