// @ashlar/cli
//   MainOptions
//   Terminal
//   TextSink
//   main

interface MainOptions {
    readonly terminal?: Terminal;
}
interface Terminal {
    readonly cwd: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly input: AsyncIterable<Uint8Array> | undefined;
    readonly out: TextSink;
    readonly err: TextSink;
    readonly cancelled: AbortSignal;
    readonly colour: boolean;
    readonly outColumns?: number | undefined;
    readonly errColumns?: number | undefined;
}
interface TextSink {
    readonly write: (text: string) => void;
    readonly flush: () => Promise<void>;
    readonly failure?: () => Error | undefined;
}
function main(args: readonly string[], options?: MainOptions): Promise<number>;
