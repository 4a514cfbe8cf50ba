import { afterAll } from "vitest";
import { releaseAll } from "./release.ts";

afterAll(releaseAll);
