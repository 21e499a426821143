const sentence = '<p>A sentence that is long enough to count as prose, and one more for good measure.</p>';

/** Pages that kill or stall parsers: `../shared/facts/extraction.md` section 1g, and what our own steps might stumble over. */
export const hostilePages: Readonly<Record<string, () => string>> = {
  '100,000 nested div': () => '<div>'.repeat(100_000) + sentence,
  '30,000 unclosed b, i, font': () => '<b><i><font>x'.repeat(10_000) + sentence,
  '20 MB of paragraphs': () => sentence.repeat(Math.ceil(20_000_000 / sentence.length)),
  '300,000 attributes': () =>
    `<div ${Array.from({ length: 300_000 }, (_, n) => `a${n}=1`).join(' ')}>${sentence}`,
  'an attribute of 10 MB': () => `<div class="${'a'.repeat(10_000_000)}">${sentence}`,
  'a class of 2 million names': () => `<div class="${'a b-c '.repeat(1_000_000)}">${sentence}`,
  '1 million tiny tags': () => '<b>x</b>'.repeat(1_000_000),
  '5 million "<"': () => '<'.repeat(5_000_000),
  '3,000 nested tables': () => '<table><tr><td>'.repeat(3000) + sentence,
  '600,000 br': () => `${sentence}${'<br>'.repeat(600_000)}`,
  'a title of 1 million separators': () => `<title>${' | '.repeat(1_000_000)}</title><h1>a</h1>${sentence}`,
  'JSON-LD nested 300,000 deep': () =>
    `<script type="application/ld+json">${'[{"a":'.repeat(300_000)}</script>${sentence}`,
  'authors of a million dashes': () => {
    const name = `a${'-'.repeat(1_000_000)}b`;
    return `<meta name="dc.creator" content="${name}"><a rel="author" href="/a">${name}</a><b itemprop="author">${name}</b>${sentence}`;
  },
  '500,000 unclosed comments': () => '<!--'.repeat(500_000),
  '200,000 headings': () => '<h2>Related</h2>'.repeat(200_000),
  '5 million spaces next to Han': () => `数${' \n'.repeat(2_500_000)}据`,
};
