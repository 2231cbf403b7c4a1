/** The parts of the node that deposits and withdrawals need besides the exchange itself. */
import type { Confirmations } from "../platform/config/confirmations.ts";
import type { CheckTotp } from "../platform/config/totp.ts";
import type { TradingRulesStatus } from "../funds/trading-rules/port.ts";
import type { Wallet } from "../funds/wallet/port.ts";

export interface WalletPorts {
  readonly wallet: Wallet;
  readonly tradingRules: TradingRulesStatus;
  readonly checkTotp: CheckTotp;
  readonly confirmations: Confirmations;
}
