/** The data of every server-sent event in a response body, in order. */
export function sseData(body: string): string[] {
  return body
    .split("\n\n")
    .flatMap((event) =>
      event.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice("data: ".length)] : [])),
    );
}

/** Posts a JSON body and gives status, content type and text. */
export async function post(
  url: string,
  body: object,
): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    text: await response.text(),
  };
}
