import { test } from "vitest";
import { killUnderLoad } from "./kill-loop.ts";

test("every acknowledged write exists after each kill of a server under load (PostgreSQL)", () =>
  killUnderLoad("PostgreSQL"));
