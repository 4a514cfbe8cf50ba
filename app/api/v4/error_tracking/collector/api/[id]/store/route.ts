import { readWholeBody } from "@/collector/content-encoding";
import { collectorEndpoint, collectorPreflight } from "@/collector/endpoint";
import { readStored } from "@/collector/reports";

export const POST = collectorEndpoint(readStored, readWholeBody);
export const OPTIONS = collectorPreflight;
