/** Parsers of untrusted input, for fuzzers and for checks of documents. */
export { beginFrame, endFrame, readFrames, rowFrame, StreamBroken } from "../../cluster/catch-up/frames.ts";
export { ConfigError } from "../../platform/config/faults.ts";
export { loadConfig } from "../../platform/config/config.ts";
export { readControl } from "../../api/streams/control.ts";
export { isAllMarkets, readStreamName } from "../../api/streams/market/market-stream.ts";
export { readFrame } from "../../api/ws-frame.ts";
export { loadSignerConfig } from "../../funds/wallet/evm/signer/signer-config.ts";
export {
  CheckpointFileUnreadable,
  readCheckpointFile,
  writeCheckpointFile,
} from "../../lab/checkpoint-file.ts";
export { BadMarketFile } from "../../research/market-files/rows.ts";
export { MarketRows } from "../../research/market-files/market-rows.ts";
