import { alive } from "@/server/probes.ts";

export const GET = alive;
