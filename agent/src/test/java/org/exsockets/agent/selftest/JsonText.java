package org.exsockets.agent.selftest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON: maps, lists, texts, doubles, truth values and null. Whatever is not as it should be is an exception. */
final class JsonText {
    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        JsonText json = new JsonText(text.strip());
        Object value = json.value();
        json.require(json.at == json.text.length());
        return value;
    }

    private void require(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException("no JSON at " + at + ": " + text);
        }
    }

    private boolean skip(String expected) {
        boolean there = text.startsWith(expected, at);
        at += there ? expected.length() : 0;
        return there;
    }

    private Object value() {
        if (skip("{")) {
            return map();
        }
        if (skip("[")) {
            return list();
        }
        if (skip("\"")) {
            return string();
        }
        if (skip("true") || skip("false")) {
            return text.startsWith("true", at - "true".length());
        }
        if (skip("null")) {
            return null;
        }
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        require(text.substring(start, at).matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?"));
        return Double.valueOf(text.substring(start, at));
    }

    private Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        if (skip("}")) {
            return map;
        }
        do {
            require(skip("\""));
            String key = string();
            require(skip(":"));
            require(map.put(key, value()) == null);
        } while (skip(","));
        require(skip("}"));
        return map;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        if (skip("]")) {
            return list;
        }
        do {
            list.add(value());
        } while (skip(","));
        require(skip("]"));
        return list;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        while (!skip("\"")) {
            require(at < text.length() && text.charAt(at) >= ' ');
            if (skip("\\u")) {
                string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                at += 4;
            } else {
                require(!skip("\\") || "\"\\".indexOf(text.charAt(at)) >= 0);
                string.append(text.charAt(at));
                at++;
            }
        }
        return string.toString();
    }
}
