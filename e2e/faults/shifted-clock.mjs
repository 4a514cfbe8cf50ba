// Loaded before a server (`node --import`): its clock shows the real time and as many milliseconds more as the file
// CLOCK_SHIFT_FILE says. The same name with the number of the process names a file that says which shift its clock has.
import { readFileSync, writeFileSync } from "node:fs";

const file = process.env["CLOCK_SHIFT_FILE"] ?? "";
const RealDate = Date;

let shift = 0;
setInterval(() => {
  shift = Number(readFileSync(file, "utf8"));
  writeFileSync(`${file}.${process.pid}`, String(shift));
}, 50).unref();

const now = () => RealDate.now() + shift;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
