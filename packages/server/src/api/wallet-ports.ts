/** The parts of the node that deposits and withdrawals need besides the exchange itself. */
import type { Confirmations } from "../config/confirmations.ts";
import type { CheckTotp } from "../config/totp.ts";
import type { TradingRulesStatus } from "../trading-rules/port.ts";
import type { Wallet } from "../wallet/port.ts";

export interface WalletPorts {
  readonly wallet: Wallet;
  readonly tradingRules: TradingRulesStatus;
  readonly checkTotp: CheckTotp;
  readonly confirmations: Confirmations;
}
