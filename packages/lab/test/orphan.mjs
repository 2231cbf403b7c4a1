// A test that is killed: it starts an exchange, says where it is, and waits.
import { startExchange } from "@pricetime/lab";
const exchange = await startExchange({ process: true });
console.log(exchange.rest);
if (process.argv[2] === "waits") setInterval(() => {}, 1000);
