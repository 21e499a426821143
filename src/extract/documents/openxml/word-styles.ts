import { attribute, walkXml } from '../xml.ts';
import { isOn } from './opc.ts';

export interface WordStyle {
  readonly isTitle: boolean;
  readonly isHeading: boolean;
  readonly isList: boolean;
  /** The list that its paragraphs belong to, and the level in it. */
  readonly list: string | undefined;
  readonly level: number;
  readonly isHidden: boolean;
}

interface RawStyle {
  name: string;
  basedOn: string;
  hasOutline: boolean;
  list: string | undefined;
  level: number | undefined;
  isHidden: boolean;
}

const maxChain = 12;

/** Resolves styles by styles.xml (ECMA-376 part 1, 17.7), including their ancestors. */
export function readWordStyles(xml: string): (id: string) => WordStyle {
  const styles = new Map<string, RawStyle>();
  let current: RawStyle | undefined;
  walkXml(xml, {
    open(name, attributes) {
      const value = attribute(attributes, 'val') ?? '';
      if (name === 'style') {
        current = {
          name: '',
          basedOn: '',
          hasOutline: false,
          list: undefined,
          level: undefined,
          isHidden: false,
        };
        styles.set(attribute(attributes, 'styleId') ?? '', current);
      } else if (current === undefined) return;
      else if (name === 'name') current.name = value.toLowerCase();
      else if (name === 'basedOn') current.basedOn = value;
      else if (name === 'outlineLvl') current.hasOutline = Number(value) < 9;
      else if (name === 'numId') current.list = value;
      else if (name === 'ilvl') current.level = Number(value) || 0;
      else if (name === 'vanish') current.isHidden = isOn(attributes);
    },
    close(name) {
      if (name === 'style') current = undefined;
    },
  });

  const resolve = (id: string): WordStyle => {
    const chain: RawStyle[] = [];
    for (let styleId: string | undefined = id; styleId !== undefined && chain.length < maxChain; ) {
      const style = styles.get(styleId);
      if (style === undefined) break;
      chain.push(style);
      styleId = style.basedOn;
    }
    const own = chain[0]?.name ?? id.toLowerCase();
    return {
      isTitle: own === 'title',
      isHeading:
        /^(?:heading|überschrift|titre|标题)\s*\d/.test(own) || chain.some((style) => style.hasOutline),
      list: chain.find((style) => style.list !== undefined)?.list,
      level: chain.find((style) => style.level !== undefined)?.level ?? 0,
      isList: chain.some(({ list = '0' }) => list !== '0') || /^list (?:bullet|number)/.test(own),
      isHidden: chain.some((style) => style.isHidden),
    };
  };
  const resolved = new Map<string, WordStyle>();
  return (id) => {
    const style = resolved.get(id) ?? resolve(id);
    resolved.set(id, style);
    return style;
  };
}
