/** Several nodes in the simulator: forty seeds and every planted bug. */
process.env["SIM_SEEDS"] ??= "40";
process.env["SIM_LENGTH"] ??= "300";
process.env["SIM_HUNTED_OF"] ??= "1";
await import("./cluster.test.ts");
