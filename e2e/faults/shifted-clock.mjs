// Node loads this module before the server starts (`node --import`). The module adds the number of
// milliseconds in the file CLOCK_SHIFT_FILE to the clock of the process. The module writes the current shift
// to the file CLOCK_SHIFT_FILE.PID.
import { readFileSync, writeFileSync } from "node:fs";

const file = process.env["CLOCK_SHIFT_FILE"] ?? "";
const RealDate = Date;

let shift = 0;
function readShift() {
  shift = Number(readFileSync(file, "utf8"));
  writeFileSync(`${file}.${process.pid}`, String(shift));
}
readShift();
setInterval(readShift, 50).unref();

const now = () => RealDate.now() + shift;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
