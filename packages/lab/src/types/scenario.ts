/** A scenario as whoever plays it tells it to a lab, for those who look: the lab itself does nothing with it. */

export interface ToldScenario {
  readonly name: string;
  /** SHA-256 of its file, in hex, or the first eight digits of it at least. */
  readonly hash: string;
  readonly startMs: number;
  readonly endMs: number;
  /** What happens when. */
  readonly timeline: readonly {
    readonly atMs: number;
    readonly kind: string;
    readonly text: string;
    readonly isDone: boolean;
  }[];
  /** What must hold. */
  readonly asserts: readonly {
    readonly name: string;
    readonly kind: "always" | "never" | "sometimes" | "finally";
    readonly state: "holds" | "waiting" | "failed";
    readonly text: string;
  }[];
}

/** What the terminal and `pricetime lab scenario` show. `pricetime lab run-scenario` tells it; so may a player of your own. */
export interface ToldScenarios {
  /** Null where none is played. */
  state(): Promise<ToldScenario | null>;
  tell(told: ToldScenario): Promise<ToldScenario>;
  /** It is over. */
  end(): Promise<void>;
}
