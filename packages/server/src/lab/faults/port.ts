/** What the wiring of a node knows of faults. */
import type { EngineView } from "@pricetime/engine";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { StreamFaults } from "../../api/streams/faults-port.ts";
import type { WalletControls } from "../../funds/wallet/control.ts";
import type { CoinFaults } from "../../funds/wallet/faults-port.ts";
import type { Wallet } from "../../funds/wallet/port.ts";

/** What faults act on. */
export interface FaultyNode {
  readonly view: EngineView;
  readonly sequencer: Pick<Sequencer, "submit" | "nowMs">;
  /** A function, because the wallet is made after the faults; called when a coin is struck. */
  readonly wallet: () => Pick<Wallet, "networks"> & Pick<WalletControls, "sandbox">;
}

/** The ports through which faults strike. */
export interface FaultPorts {
  readonly streams: StreamFaults;
  readonly coins: CoinFaults;
  /** Call it before the node drains: delayed answers leave at once, and delayed requests are refused. */
  end(): void;
}
