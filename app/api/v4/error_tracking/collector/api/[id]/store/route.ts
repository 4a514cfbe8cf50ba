import { readWholeBody } from "@/error-tracking/collector/content-encoding";
import { collectorEndpoint, collectorPreflight } from "@/error-tracking/collector/endpoint";
import { readStored } from "@/error-tracking/collector/reports";

export const POST = collectorEndpoint(readStored, readWholeBody);
export const OPTIONS = collectorPreflight;
