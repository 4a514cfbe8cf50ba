import { ready } from "@/server/probes.ts";

export const GET = ready;
