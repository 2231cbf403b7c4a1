/** What whoever follows a chain works with. */
import type { EngineView } from "@pricetime/engine";
import type { Logger } from "../../platform/observe/log.ts";
import type { Chain } from "./chain.ts";
import type { RunCommand } from "./commands.ts";
import type { CoinFaults } from "./faults-port.ts";

export interface FollowerParts {
  readonly chain: Chain;
  readonly view: EngineView;
  readonly sequencer: RunCommand;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** A lab alone has them. */
  readonly faults?: CoinFaults | undefined;
}
