import { collectorEndpoint, collectorPreflight } from "@/collector/endpoint";
import { readEnvelope } from "@/collector/reports";

export const POST = collectorEndpoint(readEnvelope);
export const OPTIONS = collectorPreflight;
