/** What the wiring of a node knows of faults. */
import type { EngineView } from "@pricetime/engine";
import type { Sequencer } from "../../sequencer/port.ts";
import type { StreamFaults } from "../../streams/faults-port.ts";
import type { WalletControls } from "../../wallet/control.ts";
import type { CoinFaults } from "../../wallet/faults-port.ts";
import type { Wallet } from "../../wallet/port.ts";

/** What faults act on. */
export interface FaultyNode {
  readonly view: EngineView;
  readonly sequencer: Pick<Sequencer, "submit" | "nowMs">;
  /** Asked when a coin is struck: it is made after the faults. */
  readonly wallet: () => Pick<Wallet, "networks"> & Pick<WalletControls, "sandbox">;
}

/** The ports through which faults strike. */
export interface FaultPorts {
  readonly streams: StreamFaults;
  readonly coins: CoinFaults;
  /** Before the node drains: answers that wait leave at once, and requests that wait are refused. */
  end(): void;
}
