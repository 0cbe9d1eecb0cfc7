import type { ProviderSubject } from "@ashlar/io/testing";

export declare const subject: ProviderSubject;
