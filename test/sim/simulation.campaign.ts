/** The simulator with forty seeds, death at many places, and every planted bug. */
process.env["SIM_SEEDS"] ??= "40";
process.env["SIM_PLACES"] ??= "25";
process.env["SIM_HUNTED_OF"] ??= "1";
await import("./simulation.test.ts");
