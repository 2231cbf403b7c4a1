// Makes token.json from token.sol. The compiler is not a dependency of the repository:
//   cd "$(mktemp -d)" && npm install solc@0.8.30 && cp REPO/packages/testkit/src/evm/token/* . && node compile.mjs
import { readFileSync, writeFileSync } from "node:fs";
import solc from "solc";

const input = {
  language: "Solidity",
  sources: { "token.sol": { content: readFileSync("token.sol", "utf8") } },
  settings: {
    evmVersion: "shanghai",
    optimizer: { enabled: true, runs: 200 },
    metadata: { appendCBOR: false },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  },
};
const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
for (const { formattedMessage } of errors) process.stderr.write(formattedMessage);
const made = Object.entries(contracts["token.sol"]).map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`]);
writeFileSync("token.json", `${JSON.stringify(Object.fromEntries(made), null, 2)}\n`);
