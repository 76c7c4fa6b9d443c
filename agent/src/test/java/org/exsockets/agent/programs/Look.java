package org.exsockets.agent.programs;

/** For each name of a class prints what an instance of it says, or {@code invisible}. */
public final class Look {
    private Look() {}

    public static void main(String[] names) throws ReflectiveOperationException {
        for (String name : names) {
            try {
                System.out.println(Class.forName(name).getConstructor().newInstance());
            } catch (ClassNotFoundException e) {
                System.out.println("invisible");
            }
        }
    }
}
