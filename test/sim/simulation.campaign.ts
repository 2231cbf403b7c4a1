/** The simulator with thirty-nine more seeds, crashes at many places, and every planted bug. */
process.env["SIM_FROM"] ??= "2";
process.env["SIM_TO"] ??= "40";
process.env["SIM_PLACES"] ??= "25";
process.env["SIM_HUNTED_OF"] ??= "1";
await import("./simulation.test.ts");
