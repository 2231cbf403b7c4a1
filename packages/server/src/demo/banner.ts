/** What a demo prints when it serves. */
import type { DemoFile } from "./demo-file.ts";

export interface BannerParts {
  readonly file: DemoFile;
  readonly symbols: readonly string[];
  readonly bots: boolean;
  readonly limits: boolean;
  readonly dataFolder: string;
  /** Others than this machine can connect. */
  readonly isOpenToOthers: boolean;
}

/** Lines for the terminal, without the ready line, which comes last and alone. */
export function demoBanner({ file, symbols, bots, limits, dataFolder, isOpenToOthers }: BannerParts): string {
  const onOff = (on: boolean): string => (on ? "on" : "off");
  const lines = [
    "",
    "Pricetime demo exchange",
    "",
    `  REST      ${file.rest}`,
    `  admin     ${file.admin}`,
    `  data      ${dataFolder} (keys and addresses also in demo.json there)`,
    `  symbols   ${symbols.join(" ")}`,
    `  bots      ${onOff(bots)}   limits ${onOff(limits)}`,
    "",
    "Coins come and go by sandbox networks. To be paid some:",
    "",
    `  npm run pricetime -- sandbox faucet BTC BTC 1 --account ${file.accounts[0]?.email} --data ${dataFolder}`,
    "",
    "Demo accounts (everybody knows these keys, and they may withdraw):",
    ...file.accounts.flatMap(accountLines),
    "",
    `Sub-account of ${file.accounts[0]?.name} (its key may not withdraw):`,
    ...file.subAccounts.flatMap(accountLines),
    "",
    ...(isOpenToOthers ? ["Other machines can reach this demo, and know its keys.", ""] : []),
  ];
  return lines.join("\n");
}

function accountLines({ name, apiKey, secretKey }: DemoFile["accounts"][number]): string[] {
  return ["", `  ${name}`, `    API key   ${apiKey}`, `    secret    ${secretKey}`];
}
