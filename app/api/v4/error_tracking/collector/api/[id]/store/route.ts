import { collectorEndpoint, collectorPreflight } from "@/collector/endpoint";
import { readStored } from "@/collector/reports";

export const POST = collectorEndpoint(readStored);
export const OPTIONS = collectorPreflight;
